import { createParticipantUuid } from '#web/player/participant.ts'

/** A UUID for a row created in the browser; the server keeps it (decisions « Temporary ids »). */
export const newId = (): string => createParticipantUuid()
