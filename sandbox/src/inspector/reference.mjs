/** On the reference page, which has a logo of its own otherwise: our mark, and the way back. */
const back = document.createElement('a');
const icon = document.createElement('img');
back.className = 'back';
back.href = '../';
icon.src = '../assets/icon.svg';
icon.alt = '';
icon.width = 28;
back.append(icon, '← Sandbox');
document.body.prepend(back);
