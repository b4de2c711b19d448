/** Ids of calls are the model's: some repeat them, or leave them out. Pure. */

/** The id, or one like it where another call has it. It is one of those that are taken from now on. */
export const distinctId = (id: string, taken: Set<string>): string => {
  let distinct = id
  for (let n = 2; taken.has(distinct); n++) distinct = `${id}_${n}`
  taken.add(distinct)
  return distinct
}
