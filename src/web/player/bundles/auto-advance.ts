import { advanceOnTap } from '#web/player/page/auto-advance.ts'

/** Advance on taps, for pages whose quiz has it. */
advanceOnTap(document)
