/** Where the focus goes when a page has been opened: to its heading; on the way back, to the link that had opened the page before. */

interface Move {
  /** The link that leads to the page that has been left; null where the person has not come back. */
  readonly opener: string | null
}

let move: Move | null = null

/** What was opened from a place last. */
const opened = new Map<string, string>()

export const leaving = (from: string, to: string, isBack: boolean): void => {
  if (!isBack) opened.set(from, to)
  move = { opener: isBack && opened.get(to) === from ? from : null }
}

/** How long a list has to show the link that is looked for. */
const waitMs = 2000

/** The heading of the page that has been opened is there. The first page of a visit takes the focus from nobody. */
export const arrived = (heading: HTMLElement): void => {
  if (move === null) return
  const { opener } = move
  move = null
  heading.focus({ preventScroll: true })
  if (opener === null) {
    window.scrollTo({ top: 0 })
    return
  }
  const began = performance.now()
  const look = () => {
    // Somebody who has gone on meanwhile is not called back.
    if (document.activeElement !== heading) return
    const link = [...document.querySelectorAll("a")].find(({ hash }) => hash === `#${opener}`)
    if (link !== undefined) link.focus()
    else if (performance.now() - began < waitMs) requestAnimationFrame(look)
  }
  look()
}
