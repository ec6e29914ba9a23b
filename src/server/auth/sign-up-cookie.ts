import { createBrowserCookie } from '#server/http/browser-cookie.ts'

/**
 * Names the browser that signs up, so that confirming elsewhere does not make its password valid. A day
 * leaves time for mails that are asked for again.
 */
export const signUpCookie = createBrowserCookie({
  name: 'quizaine_signup',
  path: '/auth/v1',
  seconds: 86_400,
})
