-- The guards of the journal with as little work as a single posting allows. A statement with several nodes costs
-- more than the rows it reads, so what is refused is told apart only once something is refused.
--
-- Lines come before the posting that seals them, move money between accounts of their book, and lower a prize for a
-- listed reason alone. Every account takes its sum, and the sides of all lines have to be among the sums.
CREATE OR REPLACE FUNCTION felt_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    fits BOOLEAN;
BEGIN
    WITH changed AS (
        UPDATE account SET cents = account.cents + moved.cents
        FROM (
            SELECT added.book, side.name, sum(side.cents)::bigint AS cents, count(*) AS sides,
                min(side.because) AS least, max(side.because) AS most
            FROM added JOIN book ON book.id = added.book AND book.number < added.number
            CROSS JOIN LATERAL (VALUES
                (added.debit, added.cents, CASE WHEN added.reason IS NULL THEN 0 WHEN EXISTS (
                    SELECT 1 FROM reason
                    WHERE reason.name = added.reason AND reason.debit = added.debit AND reason.credit = added.credit
                ) THEN 1 ELSE 2 END),
                (added.credit, -added.cents, NULL)
            ) AS side (name, cents, because)
            GROUP BY added.book, side.name
        ) AS moved
        WHERE account.book = moved.book AND account.name = moved.name AND (moved.most IS NULL OR
            CASE account.kind WHEN 'prize' THEN moved.least = 1 AND moved.most = 1 ELSE moved.most = 0 END)
        RETURNING moved.sides
    ) SELECT sum(sides) = (SELECT 2 * count(*) FROM added) INTO fits FROM changed;
    IF fits THEN
        RETURN NULL;
    ELSIF NOT EXISTS (SELECT 1 FROM added) THEN
        RETURN NULL;
    ELSIF EXISTS (SELECT 1 FROM added JOIN book ON book.id = added.book WHERE added.number <= book.number) THEN
        RAISE EXCEPTION 'felt: a sealed posting takes no more lines';
    ELSIF EXISTS (
        SELECT 1 FROM added WHERE 2 > (
            SELECT count(*) FROM account
            WHERE account.book = added.book AND account.name IN (added.debit, added.credit)
        )
    ) THEN
        RAISE EXCEPTION 'felt: a line moves money between accounts of its book';
    END IF;
    RAISE EXCEPTION 'felt: a prize is lowered only for a listed reason, and nothing else carries one';
END $$
--;
-- Postings of one book follow one another from its last one on, carry the seal of the one before, and have all the
-- lines that they announce; the book then ends with the newest of them. One that is numbered elsewhere has no posting
-- before it, or is not among so many after the last.
CREATE OR REPLACE FUNCTION felt_postings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT 1 FROM added JOIN book ON book.id = added.book
        WHERE NOT (added.number = book.number + 1 AND added.previous = book.hash) AND NOT EXISTS (
            SELECT 1 FROM posting AS before
            WHERE before.book = added.book AND before.number = added.number - 1 AND before.hash = added.previous
        ) OR added.lines <> (
            SELECT count(*) FROM entry WHERE entry.book = added.book AND entry.number = added.number
        ) OR added.witness IS NULL AND EXISTS (
            SELECT 1 FROM entry
            WHERE entry.book = added.book AND entry.number = added.number AND entry.reason IS NOT NULL
        )
    ) THEN
        IF EXISTS (
            SELECT 1 FROM added JOIN entry ON entry.book = added.book AND entry.number = added.number
            WHERE added.witness IS NULL AND entry.reason IS NOT NULL
        ) THEN
            RAISE EXCEPTION 'felt: a prize is lowered before two persons';
        END IF;
        RAISE EXCEPTION 'felt: a posting follows the last one of its book and has all its lines';
    END IF;
    UPDATE book SET number = newest.number, hash = newest.hash, mark = newest.mark FROM added AS newest
    WHERE book.id = newest.book AND newest.number = book.number + (SELECT count(*) FROM added);
    IF NOT FOUND AND EXISTS (SELECT 1 FROM added) THEN
        RAISE EXCEPTION 'felt: a posting follows the last one of its book and has all its lines';
    END IF;
    RETURN NULL;
END $$
--;
-- That refuses a posting of a book that does not exist as well.
ALTER TABLE posting DROP CONSTRAINT posting_book_fkey
--;
-- Only the trigger of the postings writes to a book.
DROP TRIGGER book_stays ON book
--;
DROP FUNCTION felt_book()
--;
CREATE TRIGGER book_stays BEFORE UPDATE ON book FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0)
EXECUTE FUNCTION felt_refuse('a book changes by its postings alone')
--;
CREATE TRIGGER book_keeps_its_name BEFORE UPDATE OF id, name, kind ON book
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('a book changes by its postings alone')
