// A page that was opened from the disk may start no worker: a hidden frame runs its script instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.title = "Search";
      document.body.append(frame);
      this.frame = frame.contentWindow;
      this.frame.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = this.frame.document.createElement("script");
      this.ready = new Promise((loaded) => script.addEventListener("load", loaded));
      script.src = address;
      this.frame.document.body.append(script);
    }

    async postMessage(message) {
      await this.ready;
      const data = structuredClone(message);
      this.frame.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
