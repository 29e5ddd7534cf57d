/** The theme: calm deep teal, large touch targets, and colors readable in sunlight (contrast of at least 4.5). */
import {
  Anchor,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
} from '@mantine/core';

const teal: MantineColorsTuple = [
  '#e8f6f3',
  '#cde9e3',
  '#a3d7cd',
  '#74c3b5',
  '#4fb1a1',
  '#2f9f8e',
  '#178f7e',
  '#0b7a6c',
  '#05655a',
  '#004f46',
];

export const theme = createTheme({
  primaryColor: 'brand',
  colors: { brand: teal },
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, "Roboto Mono", "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  focusRing: 'auto',
  components: {
    Button: Button.extend({ defaultProps: { size: 'lg' } }),
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    InputWrapper: Input.Wrapper.extend({ defaultProps: { size: 'md' } }),
    TextInput: { defaultProps: { size: 'lg' } },
    NativeSelect: { defaultProps: { size: 'lg' } },
    SegmentedControl: { defaultProps: { size: 'lg' } },
    // A <header> element would count as a second banner of the page.
    Modal: {
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { title: { fontSize: '1.25rem', fontWeight: 650, lineHeight: 1.3 } },
    },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4a5560',
    '--mantine-color-placeholder': '#667078',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': teal[8],
    '--page': '#f4f7f6',
    '--card': '#ffffff',
    '--line': '#d5dedc',
    '--mark': '#40469e',
    '--good-ink': '#0b5d2a',
    '--good-back': '#e2f5e8',
    '--warn-ink': '#6b4300',
    '--warn-back': '#fff2d6',
    '--bad-ink': '#8f1d15',
    '--bad-back': '#fde8e6',
    '--info-ink': '#0a4b6e',
    '--info-back': '#e3f1f9',
  },
  dark: {
    '--mantine-color-dimmed': '#b4bdbb',
    '--mantine-color-placeholder': '#9aa5a2',
    '--mantine-color-error': '#ff9a92',
    '--mantine-color-anchor': teal[3],
    '--mantine-color-body': '#121817',
    '--page': '#121817',
    '--card': '#1b2422',
    '--line': '#33403d',
    '--mark': '#c3b5ff',
    '--good-ink': '#9be3b3',
    '--good-back': '#12351f',
    '--warn-ink': '#ffd68a',
    '--warn-back': '#3d2d08',
    '--bad-ink': '#ffb4ad',
    '--bad-back': '#451a17',
    '--info-ink': '#a8d8f5',
    '--info-back': '#10303f',
  },
});
