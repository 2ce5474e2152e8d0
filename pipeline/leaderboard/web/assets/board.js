"use strict";
// Comforts only: every page works without this file.

// A page that waits for news asks for itself and takes over what changed; focus stays where it is.
function poll() {
  const live = document.getElementById("live");
  const seconds = live ? Number(live.dataset.poll) : 0;
  if (!seconds) return;
  setTimeout(async () => {
    try {
      const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const news = page.getElementById("live");
        if (news && news.innerHTML !== live.innerHTML) live.replaceChildren(...news.childNodes);
        if (news && news.dataset.poll) live.dataset.poll = news.dataset.poll;
        else delete live.dataset.poll;
      }
    } catch (error) {
      // The next try may reach the board.
    }
    poll();
  }, 1000 * seconds);
}

// A published board has no server that filters.
function filter() {
  const form = document.querySelector("form[data-filter]");
  if (!form) return;
  form.hidden = false;
  const apply = () => {
    for (const row of document.querySelectorAll("tr[data-size]")) {
      const fits = (name) => !form.elements[name].value || form.elements[name].value === row.dataset[name];
      row.hidden = !(fits("size") && fits("kind"));
    }
    for (const body of document.querySelectorAll("tbody"))
      body.hidden = body.querySelector("tr[data-size]") !== null && !body.querySelector("tr[data-size]:not([hidden])");
  };
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}

// Large files take a while: the button says so, and is not pressed twice. A page that the browser
// kept, and shows again after Back, takes a file anew.
function sending() {
  const form = document.querySelector("form[enctype]");
  if (!form) return;
  const button = form.querySelector("button[type=submit]");
  const usual = button.textContent;
  form.addEventListener("submit", () => {
    button.textContent = "Sending…";
    button.setAttribute("aria-disabled", "true");
  });
  button.addEventListener("click", (event) => {
    if (button.hasAttribute("aria-disabled")) event.preventDefault();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    button.textContent = usual;
    button.removeAttribute("aria-disabled");
  });
}

poll();
filter();
sending();
