/** What parts that several pages have call their buttons: English, unless a page that speaks other languages says otherwise. */
export interface Labels {
  close: string;
  rule: (id: string) => string;
  copyLink: string;
  copied: string;
  copyYourself: string;
  qrLink: string;
  thatIsMe: string;
  changeFace: string;
  yourFace: string;
  faceTaken: (face: string) => string;
  levelsEnd: (who: string) => string;
}

class Said {
  said = $state.raw<Labels>({
    close: "Close", rule: (id) => `Rule ${id}`, copyLink: "Copy the link", copied: "Copied.", copyYourself: "Press Ctrl+C, or long-press to copy.", qrLink: "QR code of the link", thatIsMe: "That is me",
    changeFace: "Change face", yourFace: "Your face", faceTaken: (face) => `${face}, already at the table`, levelsEnd: (who) => `Levels turn by turn. At the end: ${who}.`,
  });
}

export const labels = new Said();
