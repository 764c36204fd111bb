-- One posting that follows the last one, as most do, is checked and becomes the end of its book in one statement.
-- What that statement passes over, several postings or one that does not fit, is checked as before.
CREATE OR REPLACE FUNCTION felt_postings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE book SET number = added.number, hash = added.hash, mark = added.mark FROM added
    WHERE book.id = added.book AND added.number = book.number + 1 AND added.previous = book.hash
    AND added.lines = (
        SELECT CASE WHEN added.witness IS NULL AND count(entry.reason) > 0 THEN -1 ELSE count(*) END
        FROM entry WHERE entry.book = added.book AND entry.number = added.number
    ) AND (SELECT count(*) FROM added) = 1;
    IF FOUND THEN
        RETURN NULL;
    END IF;
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
