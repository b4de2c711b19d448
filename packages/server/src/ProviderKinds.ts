/** The kinds of providers that a server has, by purpose. No other file of the server names one. Source: docs/contributing.md#kind. */
import { anthropicKind } from "@trunkline/providers/anthropic/kind"
import { braveKind } from "@trunkline/providers/brave/kind"
import { cloudApiKind } from "@trunkline/providers/cloud-api/kind"
import { deepgramKind } from "@trunkline/providers/deepgram/kind"
import { embeddedKind } from "@trunkline/providers/embedded/kind"
import { openaiKind } from "@trunkline/providers/openai/kind"
import { sarvamKind } from "@trunkline/providers/sarvam/kind"
import { searxngKind } from "@trunkline/providers/searxng/kind"
import { simulatorKind } from "@trunkline/providers/simulator/kind"
import { tavilyKind } from "@trunkline/providers/tavily/kind"
import { telegramKind } from "@trunkline/providers/telegram/kind"
import { twilioKind } from "@trunkline/providers/twilio/kind"
import { webChatKind } from "@trunkline/providers/web-chat/kind"

/** Who places calls: the first one where the file names none. */
export const carriers = [simulatorKind, twilioKind]

/** The chat platform, which the section of messages is about. */
export const platform = cloudApiKind

/** Further ways to chat. */
export const channels = [telegramKind, webChatKind]

/** Who runs models. */
export const upstreams = [openaiKind, anthropicKind, sarvamKind, deepgramKind, embeddedKind]

/** Who searches the web. */
export const searches = [braveKind, tavilyKind, searxngKind]
