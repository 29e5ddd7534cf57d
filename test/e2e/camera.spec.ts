/** A coupon held before the camera: read in the page, with the reader that the service itself delivers. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { create } from 'qrcode';
import { CHROMIUM } from '../../playwright.config.ts';
import { enter, expect, newSeed, test, untilReady } from './world.ts';

const [WIDTH, HEIGHT] = [640, 480];

/** Ten grey frames of a QR code as an uncompressed film. */
function film(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
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

test('the camera reads a coupon, without a signal too', async ({ world }) => {
  const code = await newSeed(world);
  const browser = await chromium.launch({
    ...CHROMIUM,
    args: [
      ...CHROMIUM.args,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film(`${world.url}/c/${code}`)}`,
    ],
  });
  const context = await browser.newContext({
    permissions: ['camera'],
    locale: 'en-US',
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await enter(page, world, await world.person());
  await untilReady(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Start an interview' }).click();
  await page.getByRole('button', { name: 'Scan the coupon' }).click();
  await expect(page.getByLabel('Code on the coupon')).toHaveValue(`${code.slice(0, 4)}-${code.slice(4)}`);
  await expect(page.getByText('looks right')).toBeVisible();
  await browser.close();
});

test('without a camera the page says so and the code can be typed', async ({ page, world }) => {
  await enter(page, world, await world.person(), '/start');
  await page.getByRole('button', { name: 'Scan the coupon' }).click();
  await expect(page.getByText('Type the code instead.')).toBeVisible();
});
