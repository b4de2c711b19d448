/** The product's services on a SQLite file, over a carrier that accepts every call and never reports it. */

import type { Services } from "@trunkline/core/effect"
import { CallbackRefused, Carrier, telephonyProvider } from "@trunkline/core/provider"
import { storageProvider } from "@trunkline/core/storage"
import { neutralBrand, services } from "@trunkline/core/testing"
import { layer } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { encryptionKey } from "./Database.ts"

export const carrier: Carrier["Service"] = {
  traits: {
    name: "bench",
    startsPerSecond: null,
    needsCaller: false,
    defaultFrom: null,
    proof: { lookUps: 1, overMs: 0 },
    silenceMs: 3_600_000
  },
  place: ({ callId }) => Effect.succeed({ providerCallId: `BENCH-${callId}` }),
  end: () => Effect.succeed(null),
  leaveMessage: () => Effect.void,
  find: () => Effect.succeed({ _tag: "Nothing" }),
  read: () => Effect.fail(new CallbackRefused({ reason: "unsupported", detail: "no callbacks here" })),
  listen: () => Effect.void
}

export const product = (path: string): Layer.Layer<Services, unknown> =>
  services(
    {
      storage: storageProvider(layer({ path })),
      telephony: telephonyProvider(Layer.succeed(Carrier, carrier)),
      encryptionKey
    },
    neutralBrand
  )
