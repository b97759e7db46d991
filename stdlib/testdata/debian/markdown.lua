local markdown = require "markdown"
for _, text in ipairs { "# Title\n\nA *para* with **bold** and `code`.\n", "* one\n* two\n    * nested\n* three\n", "1. first\n2. second\n\n3. loose\n", "> quote\n> more\n>\n> > deep\n", "[link](http://x.y \"t\") and [ref][id] and ![img](a.png)\n\n[id]: http://example.com/ 'Ref'\n", "Line one  \nbreak\n\n***\n\n    code block\n    <tag> & more\n\nSetext\n======\n\nSub\n---\n", "<div>\n*raw*\n</div>\n\nA & B &amp; C < D\n", "\\*not em\\* __strong__ _em_ snake_case_word\n", "<http://auto.link> <a@b.c>\n", "a\n\n\nb\r\nc\td\n" } do
  print((markdown(text):gsub("&#x?%x+;", "&#;")))
end
