/** The kinds of providers that a server has, by purpose. No other file of the server names one. Source: docs/contributing.md#carrier. */
import { braveKind } from "@trunkline/providers/brave/kind"
import { searxngKind } from "@trunkline/providers/searxng/kind"
import { simulatorKind } from "@trunkline/providers/simulator/kind"
import { tavilyKind } from "@trunkline/providers/tavily/kind"
import { twilioKind } from "@trunkline/providers/twilio/kind"

/** Who places calls: the first one where the file names none. */
export const carriers = [simulatorKind, twilioKind]

/** Who searches the web. */
export const searches = [braveKind, tavilyKind, searxngKind]
