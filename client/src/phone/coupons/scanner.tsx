/** Reads a QR code with the phone's camera. Images never leave the device. */
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createQrCodeReader } from '../../offline/coupons/qr-reader.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';

const SCAN_INTERVAL_MS = 120;
type ScannerProblem = 'refused' | 'none' | 'insecure' | 'notLoaded';

/** The QR reader isn't on the device. */
class NotLoaded extends Error {}

export default function Scanner({ onRead }: { onRead(text: string): void }) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(onRead);
  latest.current = onRead;
  const [trouble, setTrouble] = useState<ScannerProblem | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  useEffect(() => {
    let stopped = false;
    let stream: MediaStream | undefined;
    const run = async () => {
      stream = await openCamera();
      if (stopped) return stopCamera(stream);
      const screen = video.current;
      if (!screen) return;
      screen.srcObject = stream;
      await screen.play();
      setTrack(stream.getVideoTracks()[0] ?? null);
      const text = await scanUntilRead(screen, () => stopped);
      if (text !== null && !stopped) {
        navigator.vibrate?.(80);
        latest.current(text);
      }
    };
    run().catch((error: unknown) => {
      if (!stopped) setTrouble(problemOf(error));
    });
    return () => {
      stopped = true;
      stopCamera(stream);
    };
  }, []);
  if (trouble) {
    return (
      <Notice tone="warn" title={t(`scan.${trouble}`)} live>
        {t('scan.type')}
      </Notice>
    );
  }
  return (
    <div>
      <div className="camera">
        <video ref={video} muted playsInline aria-label={t('scan.camera')} />
        <div className="camera-frame" />
      </div>
      <Torch track={track} />
    </div>
  );
}

async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new DOMException('plain http has no camera', 'SecurityError');
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

function stopCamera(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function problemOf(error: unknown): ScannerProblem {
  const name = (error as { name?: string } | null)?.name;
  if (error instanceof NotLoaded) return 'notLoaded';
  if (name === 'SecurityError') return 'insecure';
  return name === 'NotAllowedError' ? 'refused' : 'none';
}

/** Looks until it reads a code. A frame that can't be read yet is not an error. */
async function scanUntilRead(screen: HTMLVideoElement, stopped: () => boolean): Promise<string | null> {
  const reader = await createQrCodeReader().catch((cause: unknown) => {
    throw new NotLoaded(String(cause), { cause });
  });
  while (!stopped()) {
    const [hit] = screen.readyState >= 2 ? await reader.detect(screen) : [];
    if (hit?.rawValue) return hit.rawValue;
    await new Promise((resolve) => setTimeout(resolve, SCAN_INTERVAL_MS));
  }
  return null;
}

function Torch({ track }: { track: MediaStreamTrack | null }) {
  const { t } = useTranslation();
  const [on, setOn] = useState(false);
  const [broken, setBroken] = useState(false);
  // Missing from the TypeScript library.
  const able = (track?.getCapabilities?.() as { torch?: boolean } | undefined)?.torch;
  if (!track || !able || broken) return null;
  const toggle = () =>
    track.applyConstraints({ advanced: [{ torch: !on } as MediaTrackConstraintSet] }).then(
      () => setOn(!on),
      // Some cameras report a light that they can't switch.
      () => setBroken(true),
    );
  return (
    <button type="button" className="icon-button" aria-pressed={on} onClick={() => void toggle()}>
      <Icon name="torch" />
      {t('scan.torch')}
    </button>
  );
}
