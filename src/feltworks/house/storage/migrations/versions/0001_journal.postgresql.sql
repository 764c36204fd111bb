CREATE TABLE book (
    id SERIAL NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    number BIGINT DEFAULT '0' NOT NULL,
    hash BYTEA NOT NULL,
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
--;
CREATE TABLE posting (
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    day TEXT NOT NULL,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    witness TEXT,
    explanation TEXT NOT NULL,
    facts TEXT NOT NULL,
    lines INTEGER NOT NULL,
    previous BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (book, number),
    CONSTRAINT posted_once UNIQUE (key, book),
    CONSTRAINT day_is_a_day CHECK (length(day) = 10),
    CONSTRAINT two_different_persons CHECK (made_by <> '' AND witness <> '' AND witness <> made_by),
    CONSTRAINT explained CHECK (trim(explanation) <> ''),
    FOREIGN KEY(book) REFERENCES book (id)
)
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
--;
CREATE FUNCTION felt_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'felt: %', TG_ARGV[0];
END $$
--;
-- A plan made while a table is small is kept when it has grown: the functions below have to go by the keys.
-- Postings follow one another from the last one on, carry the seal of the one before, and have all the lines
-- that they announce.
CREATE FUNCTION felt_postings() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM (
            SELECT added.book, added.number, added.previous,
                lag(added.number, 1, book.number) OVER following AS last_number,
                lag(added.hash, 1, book.hash) OVER following AS last_hash
            FROM added JOIN book ON book.id = added.book
            WINDOW following AS (PARTITION BY added.book ORDER BY added.number)
        ) AS chain WHERE number <> last_number + 1 OR previous <> last_hash
    ) THEN
        RAISE EXCEPTION 'felt: a posting follows the last one of its book and has all its lines';
    END IF;
    IF EXISTS (
        SELECT 1 FROM added
        LEFT JOIN entry ON entry.book = added.book AND entry.number = added.number
        GROUP BY added.book, added.number, added.lines HAVING count(entry.line) <> added.lines
    ) THEN
        RAISE EXCEPTION 'felt: a posting follows the last one of its book and has all its lines';
    END IF;
    IF EXISTS (
        SELECT 1 FROM added JOIN entry ON entry.book = added.book AND entry.number = added.number
        WHERE added.witness IS NULL AND entry.reason IS NOT NULL
    ) THEN
        RAISE EXCEPTION 'felt: a prize is lowered before two persons';
    END IF;
    UPDATE book SET number = newest.number, hash = newest.hash
    FROM (SELECT DISTINCT ON (book) book, number, hash FROM added ORDER BY book, number DESC) AS newest
    WHERE book.id = newest.book;
    RETURN NULL;
END $$
--;
CREATE TRIGGER posting_seals AFTER INSERT ON posting REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION felt_postings()
--;
CREATE TRIGGER posting_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON posting
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('the journal is append-only')
--;
CREATE TRIGGER entry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('the journal is append-only')
--;
-- Lines come before the posting that seals them; a prize is lowered for a listed reason, and nothing else
-- carries one; then every account takes its sum.
CREATE FUNCTION felt_entries() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM added JOIN book ON book.id = added.book WHERE added.number <= book.number) THEN
        RAISE EXCEPTION 'felt: a sealed posting takes no more lines';
    END IF;
    IF EXISTS (
        SELECT 1 FROM added
        JOIN account ON account.book = added.book AND account.name = added.debit
        LEFT JOIN reason ON reason.name = added.reason
            AND reason.debit = added.debit AND reason.credit = added.credit
        WHERE CASE account.kind WHEN 'prize' THEN reason.name IS NULL ELSE added.reason IS NOT NULL END
    ) THEN
        RAISE EXCEPTION 'felt: a prize is lowered only for a listed reason, and nothing else carries one';
    END IF;
    UPDATE account SET cents = account.cents + moved.cents
    FROM (
        SELECT book, name, sum(cents) AS cents FROM (
            SELECT book, debit AS name, cents FROM added
            UNION ALL SELECT book, credit, -cents FROM added
        ) AS sides GROUP BY book, name
    ) AS moved
    WHERE account.book = moved.book AND account.name = moved.name;
    RETURN NULL;
END $$
--;
CREATE TRIGGER entry_counts AFTER INSERT ON entry REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION felt_entries()
--;
CREATE TRIGGER account_opens_empty BEFORE INSERT ON account
FOR EACH ROW WHEN (NEW.cents <> 0) EXECUTE FUNCTION felt_refuse('an account opens with nothing in it')
--;
CREATE TRIGGER account_is_kept BEFORE DELETE OR TRUNCATE ON account
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('an account is never deleted')
--;
CREATE TRIGGER account_stays BEFORE UPDATE OF book, name, kind ON account
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('an account never changes its name or kind')
--;
CREATE TRIGGER book_is_kept BEFORE DELETE OR TRUNCATE ON book
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('a book is never deleted')
--;
CREATE FUNCTION felt_book() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id <> OLD.id OR NEW.name <> OLD.name OR NEW.kind <> OLD.kind OR NOT EXISTS (
        SELECT 1 FROM posting WHERE book = NEW.id AND number = NEW.number AND hash = NEW.hash
    ) OR NEW.number <= OLD.number THEN
        RAISE EXCEPTION 'felt: a book changes by its postings alone';
    END IF;
    RETURN NEW;
END $$
--;
CREATE TRIGGER book_stays BEFORE UPDATE ON book FOR EACH ROW EXECUTE FUNCTION felt_book()
--;
CREATE TRIGGER reason_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON reason
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('the list of reasons is closed')
--;
