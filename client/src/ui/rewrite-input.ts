/** Rewrites the text typed into a field, keeping the caret after the same character. */
export function rewriteTypedText(input: HTMLInputElement, rewrite: (text: string) => string): string {
  const { value, selectionEnd } = input;
  const text = rewrite(value);
  if (text !== value) {
    const caret = rewrite(value.slice(0, selectionEnd ?? value.length)).length;
    input.value = text;
    input.setSelectionRange(caret, caret);
  }
  return text;
}
