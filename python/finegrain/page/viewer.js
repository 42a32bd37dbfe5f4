/* SPDX-License-Identifier: BSD-3-Clause */
/* Balls and sticks on a canvas. Drag to turn, turn the wheel or press + and - for the size. */
"use strict";
for (const canvas of document.querySelectorAll("canvas[data-structure]")) {
  const { elements, places, bonds, colours, radii, frame } =
    JSON.parse(canvas.dataset.structure);
  const pen = canvas.getContext("2d");
  const count = elements.length;
  const reach = Math.max(2, ...places.map((at) => Math.hypot(...at)));
  let turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  let zoom = 1;

  const times = (a, b) =>
    [0, 1, 2].flatMap((i) =>
      [0, 1, 2].map((j) => a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j]));
  const turned = ([x, y, z]) =>
    [0, 3, 6].map((row) => turn[row] * x + turn[row + 1] * y + turn[row + 2] * z);
  const rotate = (right, down) => {
    const [a, b, c, d] = [Math.cos(right), Math.sin(right), Math.cos(down), Math.sin(down)];
    turn = times([1, 0, 0, 0, c, -d, 0, d, c], times([a, 0, b, 0, 1, 0, -b, 0, a], turn));
  };

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const wide = canvas.clientWidth || 640, high = canvas.clientHeight || 440;
    canvas.width = wide * ratio;
    canvas.height = high * ratio;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const scale = (0.46 * Math.min(wide, high) * zoom) / reach;
    const seen = places.map(turned);
    const on = ([x, y]) => [wide / 2 + scale * x, high / 2 - scale * y];
    const line = (from, to, width, colour) => {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(...on(from));
      pen.lineTo(...on(to));
      pen.stroke();
    };
    for (const [from, to] of frame) line(turned(from), turned(to), 1, "#8a919c");
    const middle = (a, b) => [0, 1, 2].map((k) => (a[k] + b[k]) / 2);
    const stick = count > 400 ? 0.14 : 0.2;
    const things = [];
    for (const [i, j] of bonds) {
      const between = middle(seen[i], seen[j]);
      for (const k of [i, j])
        things.push([(seen[k][2] + between[2]) / 2, () => {
          line(seen[k], between, stick * scale + 1.5, "#33383f");
          line(seen[k], between, stick * scale, colours[elements[k]] || "#e06fc4");
        }]);
    }
    for (let i = 0; i < count; i++) {
      const size = 0.35 * (radii[elements[i]] || 1.2) * scale;
      things.push([seen[i][2] + 0.1, () => {
        const [x, y] = on(seen[i]);
        pen.fillStyle = colours[elements[i]] || "#e06fc4";
        pen.strokeStyle = "#33383f";
        pen.lineWidth = 0.7;
        pen.beginPath();
        pen.arc(x, y, size, 0, 2 * Math.PI);
        pen.fill();
        pen.stroke();
        pen.fillStyle = "rgba(255, 255, 255, 0.35)";
        pen.beginPath();
        pen.arc(x - 0.3 * size, y - 0.3 * size, 0.35 * size, 0, 2 * Math.PI);
        pen.fill();
      }]);
    }
    things.sort((a, b) => a[0] - b[0]);
    for (const [, paint] of things) paint();
  }

  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    rotate((event.clientX - held[0]) / 120, (event.clientY - held[1]) / 120);
    held = [event.clientX, event.clientY];
    draw();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom *= Math.exp(-event.deltaY / 800);
    draw();
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const step = 0.15;
    const keys = {
      ArrowLeft: () => rotate(-step, 0), ArrowRight: () => rotate(step, 0),
      ArrowUp: () => rotate(0, -step), ArrowDown: () => rotate(0, step),
      "+": () => { zoom *= 1.1; }, "-": () => { zoom /= 1.1; },
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
    draw();
  });
  window.addEventListener("resize", draw);
  rotate(0.5, 0.35);
  draw();
}
