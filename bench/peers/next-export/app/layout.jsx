import '../../look.css';

export default function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header className="bar">Your Next Domain Awaits</header>
        <main>{children}</main>
      </body>
    </html>
  );
}
