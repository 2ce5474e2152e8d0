// Put before the search worker of the theme, so that its index finds Korean words.
//
// A Korean word carries particles and joins others: 개인정보를, 한국어문장. The index therefore also
// gets what is left of a word behind each of its syllables (국어문장, 어문장, 문장), and since the end
// of a query is open, any part of a word is found. A query loses its particle: 문장을 looks for 문장.
(() => {
  const PARTICLE = /(?:에서|으로|에게|부터|까지|을|를|이|가|은|는|의|에|로|와|과|도)$/;
  const SETUP = 0;
  const QUERY = 2;

  const inner = (token) => {
    const word = token.toString();
    const parts = [token];
    for (let place = 1; place < word.length - 1; place += 1) {
      if (/[가-힣]/.test(word[place])) {
        parts.push(new lunr.Token(word.slice(place), token.metadata));
      }
    }
    return parts;
  };

  const teach = () => {
    const add = lunr.Builder.prototype.add;
    const taught = new WeakSet();
    lunr.Builder.prototype.add = function (...given) {
      if (!taught.has(this)) {
        taught.add(this);
        const cut = this.tokenizer;
        this.tokenizer = (...field) => cut(...field).flatMap(inner);
      }
      return add.apply(this, given);
    };
  };

  addEventListener("message", ({ data: message }) => {
    if (message.type === SETUP) {
      teach();
    } else if (message.type === QUERY) {
      message.data = message.data.replace(/[가-힣]{3,}/g, (word) => {
        const stem = word.replace(PARTICLE, "");
        return stem.length > 1 ? stem : word;
      });
    }
  });
})();
