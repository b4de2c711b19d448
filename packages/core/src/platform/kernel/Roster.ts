/** Who is at work now: members that come and go with requests, in no order. */

/** What can stand on a roster, on one at a time. */
export interface RosterMember {
  /** Its place on the roster, which alone writes it; -1 where it is on none. */
  rosterPlace: number
}

/**
 * A `Set` would keep them in memory long after they have gone: V8 links each table that a set has outgrown to the one after it, for
 * iterators. Once a full collection has moved one of them to the old generation, all that follow it survive until the next full
 * collection, with the members that they had. A chat survived with all that belonged to it, which cost it a tenth of its time.
 */
export class Roster<Member extends RosterMember> {
  readonly #members: Array<Member> = []

  get size(): number {
    return this.#members.length
  }

  /** A list of its own: members may come and go while it is read. */
  get members(): ReadonlyArray<Member> {
    return [...this.#members]
  }

  add(member: Member): void {
    member.rosterPlace = this.#members.push(member) - 1
  }

  /** Nothing happens where it has gone. The last one takes its place. */
  remove(member: Member): void {
    const place = member.rosterPlace
    if (place === -1) return
    member.rosterPlace = -1
    const last = this.#members.pop()!
    if (last === member) return
    this.#members[place] = last
    last.rosterPlace = place
  }
}
