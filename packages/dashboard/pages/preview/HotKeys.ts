/** Whether single keys give orders at the preview desk: kept in the browser, and never where a key writes. */
import { observed } from "../frame/Observed.ts"
import { mount } from "../frame/Settings.ts"

const noText = ["radio", "checkbox", "button", "submit"]

/** True where a key writes, or moves through the choices of a list. */
export const isField = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement ||
    (element instanceof HTMLInputElement && !noText.includes(element.type)))

const place = `dashboard.hot-keys ${new URL(mount).pathname}`

const kept = (): boolean => {
  try {
    return localStorage.getItem(place) !== "off"
  } catch {
    return true
  }
}

export const hotKeys = observed(kept())

export const switchHotKeys = (isOn: boolean): void => {
  hotKeys.set(isOn)
  try {
    localStorage.setItem(place, isOn ? "on" : "off")
  } catch {
    // It holds until the page is left.
  }
}
