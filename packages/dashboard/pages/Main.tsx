/** Where the pages begin in the browser. */
import { hasNoPlace, openedLink } from "./frame/Fragment.ts"
import "./pages.css"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { createRoot } from "react-dom/client"
import { start } from "./frame/Entering.ts"
import { startMessages } from "./frame/FrameMessages.ts"
import { startOldPage } from "./frame/OldPage.ts"
import { queryClient } from "./frame/QueryCache.ts"
import { router } from "./frame/RouteTree.tsx"
import { say } from "./frame/Say.ts"
import { startScheme } from "./frame/SchemeChoice.ts"
import { settings } from "./frame/Settings.ts"

document.title = settings.name
document.documentElement.lang = say("language.tag")
document.documentElement.dir = say("language.direction")
startScheme()
startOldPage()
startMessages((place) => void router.navigate({ href: place }))

createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)

void start(openedLink, hasNoPlace)
