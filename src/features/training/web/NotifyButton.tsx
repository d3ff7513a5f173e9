import { BellRing } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';

const readPermission = (): NotificationPermission =>
  typeof Notification === 'undefined' ? 'denied' : Notification.permission;

/** Asks the browser for its notifications; nothing once the person has answered. */
export function NotifyButton() {
  const [permission, setPermission] = useState(readPermission);
  if (permission !== 'default') return null;
  return (
    <Button
      size="small"
      variant="quiet"
      title="The browser asks for your permission"
      onClick={() => void Notification.requestPermission().then(setPermission)}
    >
      <BellRing aria-hidden size={13} />
      Notify me when it ends
    </Button>
  );
}
