ALTER TABLE posting ADD COLUMN mark BYTEA
--;
ALTER TABLE book ADD COLUMN mark BYTEA
--;
CREATE OR REPLACE FUNCTION felt_postings() RETURNS trigger LANGUAGE plpgsql
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
    UPDATE book SET number = newest.number, hash = newest.hash, mark = newest.mark
    FROM (SELECT DISTINCT ON (book) book, number, hash, mark FROM added ORDER BY book, number DESC) AS newest
    WHERE book.id = newest.book;
    RETURN NULL;
END $$
--;
CREATE TRIGGER reason_is_closed BEFORE INSERT ON reason
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('the list of reasons is closed')
--;
CREATE TRIGGER task_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON task
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER task_done_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON task_done
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what stands in the books of the tables stays')
--;
CREATE TRIGGER closing_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON closing
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('what is closed stays closed')
--;
CREATE TRIGGER house_is_kept BEFORE DELETE OR TRUNCATE ON house
FOR EACH STATEMENT EXECUTE FUNCTION felt_refuse('the books keep their name')
--;
CREATE FUNCTION felt_house() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.public_key IS NOT NULL OR (NEW.books <> OLD.books AND EXISTS (SELECT 1 FROM posting)) THEN
        RAISE EXCEPTION 'felt: the books keep their name and their key';
    END IF;
    RETURN NEW;
END $$
--;
CREATE TRIGGER house_stays BEFORE UPDATE ON house FOR EACH ROW EXECUTE FUNCTION felt_house()
--;
CREATE FUNCTION felt_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.book <> OLD.book OR NEW.terms <> OLD.terms THEN
        RAISE EXCEPTION 'felt: the terms of a progressive stay as it was opened';
    END IF;
    RETURN NEW;
END $$
--;
CREATE TRIGGER progressive_terms_stay BEFORE UPDATE ON progressive FOR EACH ROW EXECUTE FUNCTION felt_terms()
--;
