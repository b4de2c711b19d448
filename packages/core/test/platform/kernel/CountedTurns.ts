/** Counts the turns of the event loop while something runs. */
export const turnsWhile = async (run: (turn: () => number) => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isOver = false
  const next = (): void => {
    turns += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  await run(() => turns)
  isOver = true
  return turns
}
