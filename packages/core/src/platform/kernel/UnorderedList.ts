/** A list of members that come and go with requests, in no order. */

/** What can be in a list, in one at a time. */
export interface ListMember {
  /** Its place in the list, which alone writes it; -1 where it is in none. */
  listPlace: number
}

/**
 * A `Set` would keep its members in memory long after they have gone: V8 links each table that a set has outgrown to the one after it, for
 * iterators. Once a full collection has moved one of them to the old generation, all that follow it survive until the next full
 * collection, with the members that they had. A chat survived with all that belonged to it, which cost it a tenth of its time.
 */
export class UnorderedList<Member extends ListMember> {
  readonly #members: Array<Member> = []

  get size(): number {
    return this.#members.length
  }

  /** A copy: members may come and go while it is read. */
  get members(): ReadonlyArray<Member> {
    return [...this.#members]
  }

  add(member: Member): void {
    member.listPlace = this.#members.push(member) - 1
  }

  /** Nothing happens where it has gone. The last one takes its place. */
  remove(member: Member): void {
    const place = member.listPlace
    if (place === -1) return
    member.listPlace = -1
    const last = this.#members.pop()!
    if (last === member) return
    this.#members[place] = last
    last.listPlace = place
  }
}
