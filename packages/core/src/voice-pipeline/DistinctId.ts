/** Ids of calls are the model's: some repeat them, or leave them out. Pure. */

/** The id, or a similar one where another call has it. It is added to the ids in use. */
export const distinctId = (id: string, taken: Set<string>): string => {
  let distinct = id
  for (let n = 2; taken.has(distinct); n++) distinct = `${id}_${n}`
  taken.add(distinct)
  return distinct
}
