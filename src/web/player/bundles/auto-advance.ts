import { advanceOnTap } from '#web/player/page/auto-advance.ts'

/** Advance on taps, for pages of quizzes with this setting. */
advanceOnTap(document)
