/** Where the focus goes when a page has been opened: to its heading; on the way back, to the link that had opened the page before. */

interface Move {
  /** The page to which the person has come back, as it was left; null where the person has not come back. */
  readonly back: { readonly opener: string; readonly scrolled: number } | null
}

let move: Move | null = null
let isReturning = false

/** What was opened from a place last, and how far the place was scrolled then. */
const opened = new Map<string, { readonly to: string; readonly scrolled: number }>()
/** A list with the filters that it had last. */
const lists = new Map<string, string>()

const pathOf = (place: string): string => place.split("?")[0] ?? place

export const leaving = (from: string, to: string, isBack: boolean): void => {
  lists.set(pathOf(from), from)
  const before = opened.get(to)
  if ((isBack || isReturning) && before !== undefined && pathOf(before.to) === pathOf(from))
    move = { back: { opener: before.to, scrolled: before.scrolled } }
  else {
    opened.set(from, { to, scrolled: window.scrollY })
    move = { back: null }
  }
  isReturning = false
}

/** A link that leads back is followed. */
export const returning = (): void => {
  isReturning = true
}

/** The place of a list as it was left, with its filters. */
export const asLeft = (path: string): string => lists.get(path) ?? path

/** What had the focus is gone after it has done its work: the keyboard goes on from the heading, and not from the top. */
export const keepFocus = (): void => {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true })
    })
  )
}

/** How long a list has to show the link that is looked for. */
const waitMs = 2000

/** The heading of the page that has been opened is there. The first page of a visit takes the focus from nobody. */
export const arrived = (heading: HTMLElement): void => {
  if (move === null) return
  const { back } = move
  move = null
  heading.focus({ preventScroll: true })
  if (back === null) {
    window.scrollTo({ top: 0 })
    return
  }
  const began = performance.now()
  const look = () => {
    // Somebody who has gone on meanwhile is not called back.
    if (document.activeElement !== heading) return
    window.scrollTo({ top: back.scrolled })
    const link = [...document.querySelectorAll("a")].find(({ hash }) => pathOf(hash) === `#${pathOf(back.opener)}`)
    if (link !== undefined) link.focus({ preventScroll: true })
    else if (performance.now() - began < waitMs) requestAnimationFrame(look)
  }
  look()
}
