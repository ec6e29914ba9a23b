import { pickByRun } from '../../src/domain/testing/pick-by-run.ts'

/**
 * Injection payloads of at most 100 characters, the limit of the shortest field. Payloads that create an element mark
 * the element with `data-pwn`. Payloads that execute call `alert`.
 */
const HOSTILE_TEXTS: Record<string, string> = {
  'a script element': '<script data-pwn>alert(1)</script>',
  'a script in odd letters': '<ScRiPt data-pwn/x>alert(1)</sCrIpT >',
  'an image that fails': '<img src=x onerror=alert(1) data-pwn>',
  'an image after a quote': '"><img src=x onerror=alert(1) data-pwn>',
  'an image after an apostrophe': "'><img src=x onerror='alert(1)' data-pwn>",
  'an attribute after a quote': '" autofocus onfocus="alert(1)" data-pwn="',
  'an attribute after an apostrophe': "' autofocus onfocus='alert(1)' data-pwn='",
  'an attribute without a quote': 'x onmouseover=alert(1) data-pwn ',
  'a picture that loads': '<svg data-pwn/onload=alert(1)>',
  'a script in a picture': '<svg data-pwn><script>alert&#40;1)</script></svg>',
  'an animation in a picture': '<svg data-pwn><animate onbegin=alert(1) attributeName=x dur=1s>',
  'formulas that hide an image':
    '<math data-pwn><mi><table><mglyph><style><img src=x onerror=alert(1)>',
  'a frame with a page': '<iframe data-pwn srcdoc="<script>parent.alert(1)</script>"></iframe>',
  'an address that runs': 'javascript:alert(1)//',
  'an address that runs, disguised': '\u0001java\tscript:alert(1)',
  'a page as an address': 'data:text/html,<script data-pwn>alert(1)</script>',
  'a link that runs': '<a data-pwn href="javascript:alert(1)">voir</a>',
  'the end of the data': '</script><script data-pwn>alert(1)</script>',
  'the end of the data, commented': '<!--<script>--></script><img data-pwn src=x onerror=alert(1)>',
  'the end of the title': '</title><img data-pwn src=x onerror=alert(1)>',
  'the end of the style': '</style><style data-pwn>*{--pwn:1}</style>',
  'the end of a text field': '</textarea><img data-pwn src=x onerror=alert(1)>',
  'the end of a rule': '#fff;--pwn:1}*{--pwn:1;background:url(/pwn)',
  'the end of a string': '";alert(1);//',
  'the end of a string, escaped': '\\\';alert(1);//\\";alert(1);//',
  'line ends that scripts know': "\u2028alert(1)\u2029//'+alert(1)+'",
  'braces of a template': `{{constructor.constructor('alert(1)')()}}\${alert(1)}#{alert(1)}`,
  'tags of a template': '<%= alert(1) %><? alert(1) ?>{% alert(1) %}',
  'what a replacement would take': "$& $` $' $1 $<name> <b data-pwn>",
  'letters that are drawn backwards': '\u202e<img data-pwn src=x onerror=alert(1)>\u202c',
  'a comment of the markup': '--><img data-pwn src=x onerror=alert(1)><!--',
  'a section of another markup': ']]><script data-pwn>alert(1)</script><![CDATA[',
  'a base for addresses': '<base data-pwn href=//127.0.0.1:9/><meta http-equiv=refresh content=0>',
  'a form that sends elsewhere':
    '<form data-pwn action=//127.0.0.1:9/><button>Suivant</button></form>',
}

/** Payloads that `npm test` tries. */
const DAILY = ['a script element', 'an attribute after an apostrophe']
/** Payloads for each context that a text could break out of; every other run of the suite tries them. */
const EVERY_RUN = [
  'a script element',
  'an image after a quote',
  'an attribute after an apostrophe',
  'an address that runs',
  'the end of the style',
  'the end of a text field',
  'what a replacement would take',
]

/** Returns the payloads of this test run: two in `npm test`, one for each context, or all with XSS=all, which takes ten minutes. */
export const selectHostileTexts = (): [kind: string, text: string][] => {
  const kinds = pickByRun({ daily: DAILY, all: EVERY_RUN })
  return Object.entries(HOSTILE_TEXTS).filter(
    ([kind]) => process.env.XSS === 'all' || kinds.includes(kind),
  )
}
