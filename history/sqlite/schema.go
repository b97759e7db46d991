package sqlite

// application marks the files of flowlua in the header of SQLite: "FLua".
const application = 0x464c7561

// migrations make the schema, each from the one before. The number of those that a file has is in its user_version. They are
// never changed, only added to.
var migrations = [...]string{`
-- Every run. What changes with each turn is elsewhere, so that this row is written when the run begins, sets its status and ends.
CREATE TABLE runs(
	key INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
	id TEXT NOT NULL,
	number INT NOT NULL,
	format INT NOT NULL,                   -- history.Format of the release that made it
	workflow TEXT NOT NULL,
	program TEXT NOT NULL,                 -- of sources
	created INT NOT NULL,                  -- times are nanoseconds since 1970
	parent_id TEXT,
	parent_number INT,
	parent_op TEXT,
	on_parent_close TEXT,
	status INT NOT NULL,                   -- 0 open, 1 completed, 2 failed, 3 cancelled, 4 continued
	closed INT,
	turns INT NOT NULL,                    -- of a closed run
	last INT NOT NULL,                     -- place of its last turn
	input BLOB,
	state BLOB,
	result BLOB,
	failure BLOB,
	UNIQUE(id, number)
);
CREATE INDEX runs_created ON runs(created);
CREATE INDEX runs_open ON runs(created) WHERE status = 0;
CREATE INDEX runs_parent ON runs(parent_id) WHERE parent_id IS NOT NULL;

-- What changes with each turn of an open run: small, so that those of many runs are on one page.
CREATE TABLE open(
	run INTEGER PRIMARY KEY,
	owner INT NOT NULL,                    -- 0: nobody
	turns INT NOT NULL,
	last INT NOT NULL,                     -- place of its last turn, 0: none
	wake INT NOT NULL,                     -- 9223372036854775807: never
	halted TEXT NOT NULL
);
CREATE INDEX open_unclaimed ON open(owner) WHERE owner = 0 AND halted = '';

-- The turns of all runs as they were committed, each with the place of the one before: an index would have to be written in
-- as many places as there are runs.
CREATE TABLE turns(
	place INTEGER PRIMARY KEY,
	run INT NOT NULL,
	seq INT NOT NULL,
	before INT NOT NULL,
	data BLOB NOT NULL
);

CREATE TABLE sources(hash TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;

CREATE TABLE attempts(run INT NOT NULL, op TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY(run, op)) WITHOUT ROWID;

CREATE TABLE mail(
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL,
	number INT NOT NULL,                   -- 0: whichever is open
	event BLOB NOT NULL
);
CREATE INDEX mail_id ON mail(id);

-- Who may write. Its number is never used again.
CREATE TABLE owners(number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, until INT NOT NULL);
`}
