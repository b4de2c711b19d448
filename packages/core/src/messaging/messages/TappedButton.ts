/** What a button that a customer has tapped says of itself. Pure. */
import { isObject } from "../../platform/kernel/index.ts"
import type { JsonObject } from "./JsonObject.ts"
import type { Message } from "./Message.ts"

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Its title, and then what stands behind it; none where the message is no tap on a button. */
export const buttonTexts = ({ body, type }: Pick<Message, "type" | "body">): ReadonlyArray<string> => {
  const content = objectOf(body)
  const { button_reply, list_reply } = content
  const all =
    type === "button"
      ? [content.text, content.payload]
      : type === "interactive"
        ? [objectOf(button_reply), objectOf(list_reply)].flatMap(({ id, title }) => [title, id])
        : []
  return all.flatMap((one) => textOf(one) ?? [])
}

/** What stands behind the button that was tapped, and its title where there is nothing; null where the message is no tap. */
export const tappedButton = (message: Pick<Message, "type" | "body">): string | null =>
  buttonTexts(message).at(-1) ?? null
