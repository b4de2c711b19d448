/** What was typed outlives a reload of the page in this tab, and nothing else. */

const placeOf = (name: string): string => `draft ${name}`

/** What was kept under a name; nothing where nothing was. */
export const readDraft = <A extends object>(name: string): Partial<A> => {
  try {
    return JSON.parse(sessionStorage.getItem(placeOf(name)) ?? "{}") as Partial<A>
  } catch {
    return {}
  }
}

export const keepDraft = (name: string, draft: object): void => {
  try {
    sessionStorage.setItem(placeOf(name), JSON.stringify(draft))
  } catch {
    // It is in memory.
  }
}

/** What was typed is discarded. */
export const dropDraft = (name: string): void => {
  try {
    sessionStorage.removeItem(placeOf(name))
  } catch {
    // There is none.
  }
}

/** At sign-out nothing of what was typed stays in the browser. */
export const dropDrafts = (): void => {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(placeOf(""))) sessionStorage.removeItem(name)
  } catch {
    // There are none.
  }
}
