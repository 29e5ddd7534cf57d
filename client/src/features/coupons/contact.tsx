/** The study's own words on whom to ask; the phone numbers and addresses in them can be tapped. */
import { Anchor, Text } from '@mantine/core';

/** Long enough to be no date and no opening hours. */
const FEWEST_DIGITS = 9;
const REACHABLE = /([\w.+-]+@[\w-]+(?:\.[\w-]+)+|\+?\(?\d[\d\s().-]{6,}\d)/;

function linkOf(part: string): string | null {
  if (part.includes('@')) return `mailto:${part}`;
  const digits = part.replace(/\D/g, '');
  if (digits.length < FEWEST_DIGITS) return null;
  return `tel:${part.startsWith('+') ? '+' : ''}${digits}`;
}

export function Contact({ text }: { text: string }) {
  return (
    <Text component="p" dir="auto" className="own-lines">
      {text.split(REACHABLE).map((part, index) => {
        // Whatever the pattern caught stands at the odd places.
        const href = index % 2 === 1 ? linkOf(part) : null;
        const key = `${index} ${part}`;
        return href ? (
          <Anchor key={key} href={href} className="tall-link" inherit dir="ltr">
            {part}
          </Anchor>
        ) : (
          <span key={key}>{part}</span>
        );
      })}
    </Text>
  );
}
