/** The plain types of events are those of the catalogue. */

import type { EventDataOf } from "@trunkline/client/webhooks"
import { expect, it } from "vitest"
import type { AnyRoom } from "../../src/host/Rooms.ts"
import type { EventName } from "../../src/platform/events/index.ts"

type Entry = AnyRoom["events"][number]

type EventData<Name extends EventName> = Extract<Entry, { readonly name: Name }>["data"]["Type"]

it("fit what the catalogue's schemas say, as the compiler finds", () => {
  const same = (data: { readonly [Name in EventName]: EventData<Name> }): EventDataOf => data
  expect(same).toBeTypeOf("function")
})
