/** Scanning a coupon with the camera, using the QR reader that the service delivers. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { create } from 'qrcode';
import { CHROMIUM } from '../../playwright.config.ts';
import { enter, expect, newSeed, test, untilReady } from './world.ts';

const [WIDTH, HEIGHT] = [640, 480];
const NOTHING = { size: 1, get: () => 0 };

/** Ten gray frames of a QR code as uncompressed video; of a blank wall without a text. */
function film(text: string | null): string {
  const { modules } = text === null ? { modules: NOTHING } : create(text, { errorCorrectionLevel: 'M' });
  const scale = Math.floor((HEIGHT - 80) / modules.size);
  const luma = Buffer.alloc(WIDTH * HEIGHT, 235);
  const [left, top] = [(WIDTH - modules.size * scale) >> 1, (HEIGHT - modules.size * scale) >> 1];
  for (let y = 0; y < modules.size * scale; y += 1) {
    for (let x = 0; x < modules.size * scale; x += 1) {
      if (modules.get(Math.floor(y / scale), Math.floor(x / scale))) luma[(top + y) * WIDTH + left + x] = 16;
    }
  }
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  const file = join(tmpdir(), `coupon-${process.pid}.y4m`);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: 10 }, () => frame)]));
  return file;
}

/** A phone whose camera sees a QR code with this text, or none. */
async function phoneBefore(
  text: string | null,
): Promise<{ browser: Browser; context: BrowserContext; page: Page }> {
  const browser = await chromium.launch({
    ...CHROMIUM,
    args: [
      ...CHROMIUM.args,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film(text)}`,
    ],
  });
  const context = await browser.newContext({
    permissions: ['camera'],
    locale: 'en-US',
    viewport: { width: 390, height: 844 },
  });
  return { browser, context, page: await context.newPage() };
}

test('the camera scans a coupon offline', async ({ world }) => {
  const code = await newSeed(world);
  const { browser, context, page } = await phoneBefore(`${world.url}/c/${code}`);
  await enter(page, world, await world.person());
  await untilReady(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await page.getByRole('button', { name: 'Scan coupon' }).click();
  await expect(page.getByLabel('Coupon code')).toHaveValue(`${code.slice(0, 4)}-${code.slice(4)}`);
  await expect(page.getByText('looks right')).toBeVisible();
  await browser.close();
});

test('a browser with a built-in QR reader uses it and never downloads another', async ({ world }) => {
  const code = await newSeed(world);
  const { browser, context, page } = await phoneBefore(null);
  const fetched: string[] = [];
  context.on('request', (request) => fetched.push(request.url()));
  await page.addInitScript((text) => {
    class BarcodeDetector {
      static getSupportedFormats = async () => ['qr_code'];
      detect = async () => [{ rawValue: text }];
    }
    Object.assign(globalThis, { BarcodeDetector });
  }, `${world.url}/c/${code}`);
  await enter(page, world, await world.person());
  await untilReady(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await page.getByRole('button', { name: 'Scan coupon' }).click();
  await expect(page.getByLabel('Coupon code')).toHaveValue(`${code.slice(0, 4)}-${code.slice(4)}`);
  expect(fetched.some((url) => url.endsWith('sw.js'))).toBe(true);
  expect(fetched.filter((url) => /qr-polyfill|zxing/.test(url))).toEqual([]);
  await browser.close();
});

test('without a camera, the page asks to type the code', async ({ page, world }) => {
  await enter(page, world, await world.person(), '/start');
  await page.getByRole('button', { name: 'Scan coupon' }).click();
  await expect(page.getByText('Type the code instead.')).toBeVisible();
});

/** Fakes a camera with a flashlight, as phones have. */
function giveLight(works: boolean): void {
  const constraintCalls: unknown[] = [];
  Object.assign(globalThis, { asked: constraintCalls });
  MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities;
  MediaStreamTrack.prototype.applyConstraints = async (constraints) => {
    constraintCalls.push(constraints?.advanced);
    if (!works) throw new DOMException('no light', 'OverconstrainedError');
  };
}

test('the flashlight button appears only if the camera has a flashlight, and toggles it', async ({
  world,
}) => {
  const { browser, page } = await phoneBefore(null);
  const scan = async () => {
    await page.goto(`${world.url}/start`);
    await page.getByRole('button', { name: 'Scan coupon' }).click();
    await expect(page.getByLabel('Camera view')).toHaveJSProperty('paused', false);
  };
  const light = page.getByRole('button', { name: 'Flashlight' });
  await enter(page, world, await world.person());
  await scan();
  await expect(light).toBeHidden();
  await page.addInitScript(giveLight, true);
  await scan();
  await light.click();
  await expect(light).toHaveAttribute('aria-pressed', 'true');
  await light.click();
  await expect(light).toHaveAttribute('aria-pressed', 'false');
  expect(await page.evaluate('asked')).toEqual([[{ torch: true }], [{ torch: false }]]);
  // A flashlight that can't be turned on is no longer offered.
  await page.addInitScript(giveLight, false);
  await scan();
  await light.click();
  await expect(light).toBeHidden();
  await browser.close();
});
