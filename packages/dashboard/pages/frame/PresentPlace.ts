/** The place of the page as it stands after the sign #. */
export const presentPlaceOf = (): string => location.hash.replace(/^#/, "") || "/"
