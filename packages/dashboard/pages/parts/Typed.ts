/** Text that is looked for while it is typed. */
import { useEffect, useState } from "react"

const typingMs = 250

/** What is typed stands in the address a moment later, and is looked for then. */
export const useTyped = (present: string, keep: (text: string) => void): readonly [string, (text: string) => void] => {
  const [text, setText] = useState(present)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait.
  useEffect(() => {
    if (text.trim() === present) return
    const timer = setTimeout(() => keep(text.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  useEffect(() => setText((typed) => (typed.trim() === present ? typed : present)), [present])
  return [text, setText]
}
