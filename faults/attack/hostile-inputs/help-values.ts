/** Paths that try to leave the folder of the help. */
export const TRAVERSALS = [
  '/aide/../package.json',
  '/aide/..%2f..%2fpackage.json',
  '/aide/%2e%2e/%2e%2e/etc/passwd',
  '/aide/..\\..\\package.json',
  '/aide/....//....//etc/passwd',
  '/aide/images/../read-help.ts',
  '/aide/images/..%2f..%2fhelp.test.ts',
  '/aide/images/%252e%252e%252fread-help.ts',
  '/aide/images/C:\\windows\\win.ini',
  '/modeles/../../etc/passwd',
  '/modeles/..%2ftemplates.ts',
  '/modeles/roue-de-la-vie.txt',
  '/aide/premiers-pas/1-premier-quiz.md',
]
/** Names of pages that do not exist. */
export const ODD_SLUGS = [
  '__proto__',
  'constructor',
  'toString',
  'premier-quiz%00',
  'premier-quiz.markdown',
  'PREMIER-QUIZ',
  '%E2%80%AE',
  '%F0%9F%98%80',
  '%ED%A0%80',
  '%zz',
  'x'.repeat(8_000),
  '%2F'.repeat(2_000),
]
/** Searches with markup and scripts. */
export const MARKUP = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'onfocus='alert(1)' autofocus='",
  '</bdi></title><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '\u2028</mark><svg onload=alert(1)>',
]
/** Searches with controls, directions and marks. */
export const CHARACTERS = [
  '\0',
  '\u202e\u202d\u2066grille',
  '\ufeff',
  '😀'.repeat(50),
  `e${'\u0301'.repeat(5_000)}`,
  '\ud800',
  '\r\nSet-Cookie: a=b',
  'مرحبا',
]
/** Searches of the greatest length that an address may have. */
export const LONG = [
  'a'.repeat(7_000),
  'a '.repeat(3_500),
  'grille '.repeat(1_000),
  '\u0301'.repeat(1_200),
  '<'.repeat(2_000),
  `${'a'.repeat(30)}!`.repeat(200),
]
