/** What SQS refuses in a text: everything but these (F4). A lone surrogate is no character. */
const FORBIDDEN = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Makes any text one that SQS takes: what it refuses becomes U+FFFD, tab and line ends stay. */
export const sendable = (text: string): string => text.replace(FORBIDDEN, '\uFFFD')

/** Size as SQS counts it: UTF-8 bytes, not characters (F3). */
export const bytes = (text: string): number => Buffer.byteLength(text, 'utf8')
