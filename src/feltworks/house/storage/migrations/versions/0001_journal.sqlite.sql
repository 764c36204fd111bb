CREATE TABLE book (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT DEFAULT '0' NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (name)
)
--;
CREATE TABLE reason (
    name TEXT NOT NULL,
    debit TEXT NOT NULL,
    credit TEXT NOT NULL,
    PRIMARY KEY (name, debit, credit)
)
 WITHOUT ROWID
--;
CREATE TABLE account (
    book INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    cents BIGINT DEFAULT '0' NOT NULL,
    PRIMARY KEY (book, name),
    CONSTRAINT known_kind CHECK (kind IN ('asset', 'cost', 'prize', 'owed', 'income', 'house')),
    CONSTRAINT held_is_not_negative CHECK (kind NOT IN ('asset', 'cost') OR cents >= 0),
    CONSTRAINT owed_is_not_negative CHECK (kind NOT IN ('prize', 'owed', 'income') OR cents <= 0),
    FOREIGN KEY(book) REFERENCES book (id)
)
 WITHOUT ROWID
--;
CREATE TABLE posting (
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    kind TEXT NOT NULL,
    day TEXT NOT NULL,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    witness TEXT,
    explanation TEXT NOT NULL,
    facts TEXT NOT NULL,
    lines INTEGER NOT NULL,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (book, number),
    CONSTRAINT posted_once UNIQUE (key, book),
    CONSTRAINT day_is_a_day CHECK (length(day) = 10),
    CONSTRAINT two_different_persons CHECK (made_by <> '' AND witness <> '' AND witness <> made_by),
    CONSTRAINT explained CHECK (trim(explanation) <> ''),
    FOREIGN KEY(book) REFERENCES book (id)
)
 WITHOUT ROWID
--;
CREATE TABLE progressive (
    book INTEGER NOT NULL,
    terms TEXT NOT NULL,
    state TEXT NOT NULL,
    day TEXT,
    closed TEXT NOT NULL,
    latest TEXT NOT NULL,
    tested TEXT NOT NULL,
    started INTEGER DEFAULT '0' NOT NULL,
    maximum BIGINT,
    PRIMARY KEY (book),
    CONSTRAINT known_state CHECK (state IN ('in play', 'stopped', 'removed')),
    CONSTRAINT two_backups_at_most CHECK (started BETWEEN 0 AND 2),
    FOREIGN KEY(book) REFERENCES book (id)
)
--;
CREATE TABLE entry (
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    line INTEGER NOT NULL,
    debit TEXT NOT NULL,
    credit TEXT NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT,
    PRIMARY KEY (book, number, line),
    FOREIGN KEY(book, number) REFERENCES posting (book, number) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY(book, debit) REFERENCES account (book, name),
    FOREIGN KEY(book, credit) REFERENCES account (book, name),
    CONSTRAINT moves_something CHECK (cents > 0),
    CONSTRAINT moves_somewhere CHECK (debit <> credit)
)
 WITHOUT ROWID
--;
-- A posting follows the last one, carries its seal on, and has all the lines that it announces.
CREATE TRIGGER posting_fits BEFORE INSERT ON posting BEGIN
    SELECT RAISE(ABORT, 'felt: a posting follows the last one of its book and has all its lines')
    WHERE NOT EXISTS (
        SELECT 1 FROM book WHERE id = NEW.book AND number + 1 = NEW.number AND hash = NEW.previous
    ) OR NEW.lines <> (SELECT count(*) FROM entry WHERE book = NEW.book AND number = NEW.number);
    SELECT RAISE(ABORT, 'felt: a prize is lowered before two persons')
    FROM entry WHERE NEW.witness IS NULL AND book = NEW.book AND number = NEW.number AND reason IS NOT NULL;
END
--;
CREATE TRIGGER posting_seals AFTER INSERT ON posting BEGIN
    UPDATE book SET number = NEW.number, hash = NEW.hash WHERE id = NEW.book;
END
--;
CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN
    SELECT RAISE(ABORT, 'felt: the journal is append-only');
END
--;
CREATE TRIGGER posting_is_kept BEFORE DELETE ON posting BEGIN
    SELECT RAISE(ABORT, 'felt: the journal is append-only');
END
--;
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN
    SELECT RAISE(ABORT, 'felt: the journal is append-only');
END
--;
CREATE TRIGGER entry_is_kept BEFORE DELETE ON entry BEGIN
    SELECT RAISE(ABORT, 'felt: the journal is append-only');
END
--;
-- Lines come before the posting that seals them. A prize is lowered for a listed reason; nothing else carries one.
CREATE TRIGGER entry_fits BEFORE INSERT ON entry BEGIN
    SELECT RAISE(ABORT, 'felt: a sealed posting takes no more lines')
    FROM book WHERE id = NEW.book AND number >= NEW.number;
    SELECT RAISE(ABORT, 'felt: a prize is lowered only for a listed reason, and nothing else carries one')
    FROM account WHERE book = NEW.book AND name = NEW.debit AND CASE kind
        WHEN 'prize' THEN NOT EXISTS (
            SELECT 1 FROM reason WHERE name = NEW.reason AND debit = NEW.debit AND credit = NEW.credit
        )
        ELSE NEW.reason IS NOT NULL END;
END
--;
CREATE TRIGGER entry_counts AFTER INSERT ON entry BEGIN
    UPDATE account SET cents = cents + NEW.cents WHERE book = NEW.book AND name = NEW.debit;
    UPDATE account SET cents = cents - NEW.cents WHERE book = NEW.book AND name = NEW.credit;
END
--;
CREATE TRIGGER account_opens_empty BEFORE INSERT ON account WHEN NEW.cents <> 0 BEGIN
    SELECT RAISE(ABORT, 'felt: an account opens with nothing in it');
END
--;
CREATE TRIGGER account_is_kept BEFORE DELETE ON account BEGIN
    SELECT RAISE(ABORT, 'felt: an account is never deleted');
END
--;
CREATE TRIGGER account_stays BEFORE UPDATE OF book, name, kind ON account BEGIN
    SELECT RAISE(ABORT, 'felt: an account never changes its name or kind');
END
--;
CREATE TRIGGER book_is_kept BEFORE DELETE ON book BEGIN
    SELECT RAISE(ABORT, 'felt: a book is never deleted');
END
--;
CREATE TRIGGER book_stays BEFORE UPDATE ON book
WHEN NEW.id <> OLD.id OR NEW.name <> OLD.name OR NEW.kind <> OLD.kind OR NOT EXISTS (
    SELECT 1 FROM posting WHERE book = NEW.id AND number = NEW.number AND hash = NEW.hash
        AND previous = OLD.hash
) BEGIN
    SELECT RAISE(ABORT, 'felt: a book changes by its postings alone');
END
--;
CREATE TRIGGER reason_stays BEFORE UPDATE ON reason BEGIN
    SELECT RAISE(ABORT, 'felt: the list of reasons is closed');
END
--;
CREATE TRIGGER reason_is_kept BEFORE DELETE ON reason BEGIN
    SELECT RAISE(ABORT, 'felt: the list of reasons is closed');
END
--;
