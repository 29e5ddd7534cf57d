import type { MessageProvider } from './provider.ts';

/** For trying out the service: prints the text and the last digits of the number, but never a card. */
export const consoleMessageProvider = (print: (line: string) => void): MessageProvider => ({
  name: 'console',
  async send({ to, words, card }) {
    print(`TEXT …${to.slice(-4)} ${words.replace(/\s+/g, ' ')}${card === null ? '' : ' (gift card)'}`);
    return { outcome: 'ACCEPTED', sid: null };
  },
  find: async () => null,
});
