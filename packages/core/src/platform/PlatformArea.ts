/** What every area stands on, as the host has it: always there. */

import { Room as accounts } from "./accounts/AccessRoom.ts"
import { Room as billing } from "./billing/BillingRoom.ts"
import { Room as changes } from "./changes/ChangesRoom.ts"
import { Room as events } from "./events/EventsRoom.ts"
import { Room as http } from "./http/HttpRoom.ts"
import { Room as idempotency } from "./idempotency/IdempotencyRoom.ts"
import { Room as keys } from "./keys/KeysRoom.ts"
import { Room as moving } from "./moving/MovingRoom.ts"
import { Room as oidc } from "./oidc/OidcRoom.ts"
import { Room as overview } from "./overview/OverviewRoom.ts"
import { configured } from "./PlatformConfigured.ts"
import { rules, settings } from "./PlatformOptions.ts"
import { Room as people } from "./people/PeopleRoom.ts"
import { area } from "./room/index.ts"
import { Room as sockets } from "./sockets/SocketsRoom.ts"
import { Room as storage } from "./storage/StorageRoom.ts"
import { Room as stream } from "./stream/StreamRoom.ts"

export const platformArea = area({
  name: "platform",
  rooms: [
    oidc,
    people,
    keys,
    stream,
    overview,
    accounts,
    billing,
    idempotency,
    events,
    http,
    moving,
    sockets,
    changes,
    storage
  ],
  settings,
  rules,
  configured
})
