export const domains = [
  {
    name: 'sample.app',
    hasBroker: true,
    description:
      "Six letters everyone can spell, on the ending people trust for software. A ready-made home for your product's free trial.",
  },
  {
    name: 'lap.app',
    hasBroker: true,
    description:
      'Three letters, one syllable, easy to say and hard to forget. For runners, racers, laptops and everything that goes round.',
  },
  {
    name: 'site.example',
    hasBroker: true,
    description:
      'Says what it is at first sight. A natural address for a builder, a portfolio or the next great place on the web.',
  },
  {
    name: 'host.example',
    hasBroker: false,
    description:
      'One clear word for hospitality and hosting alike. Short enough for a business card, strong enough for a brand.',
  },
];
