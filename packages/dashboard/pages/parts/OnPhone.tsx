/** What stands in a list only where there is no room for a column of its own. */
import type { ReactNode } from "react"
import { useIsNarrow } from "./Narrow.ts"

export const OnPhone = ({ children }: { readonly children: ReactNode }) => (useIsNarrow() ? children : null)
