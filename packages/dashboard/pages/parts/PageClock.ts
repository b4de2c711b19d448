/** The present instant for what counts down, without a timer for each. */
import { useEffect, useState } from "react"

/** Now, read again after each of these milliseconds; null reads it once. */
export const useNow = (everyMs: number | null): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (everyMs === null) return
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
