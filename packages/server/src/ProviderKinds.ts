/** The kinds of providers that a server has, by purpose. No other file of the server names one. Source: docs/contributing.md#carrier. */
import { braveKind } from "@trunkline/providers/brave/kind"
import { searxngKind } from "@trunkline/providers/searxng/kind"
import { tavilyKind } from "@trunkline/providers/tavily/kind"

/** Who searches the web. */
export const searches = [braveKind, tavilyKind, searxngKind]
