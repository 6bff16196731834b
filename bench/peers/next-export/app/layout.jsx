import '../../look.css';

export const viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#faf9f7' },
    { media: '(prefers-color-scheme: dark)', color: '#12141a' },
  ],
};

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <header className="bar">Your Next Domain Awaits</header>
        <main>{children}</main>
      </body>
    </html>
  );
}
