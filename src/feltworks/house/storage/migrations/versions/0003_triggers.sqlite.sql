ALTER TABLE posting ADD COLUMN mark BLOB
--;
ALTER TABLE book ADD COLUMN mark BLOB
--;
DROP TRIGGER posting_seals
--;
CREATE TRIGGER posting_seals AFTER INSERT ON posting BEGIN
    UPDATE book SET number = NEW.number, hash = NEW.hash, mark = NEW.mark WHERE id = NEW.book;
END
--;
CREATE TRIGGER reason_is_closed BEFORE INSERT ON reason BEGIN
    SELECT RAISE(ABORT, 'felt: the list of reasons is closed');
END
--;
CREATE TRIGGER task_stays BEFORE UPDATE ON task BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_is_kept BEFORE DELETE ON task BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_done_stays BEFORE UPDATE ON task_done BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER task_done_is_kept BEFORE DELETE ON task_done BEGIN
    SELECT RAISE(ABORT, 'felt: what stands in the books of the tables stays');
END
--;
CREATE TRIGGER closing_stays BEFORE UPDATE ON closing BEGIN
    SELECT RAISE(ABORT, 'felt: what is closed stays closed');
END
--;
CREATE TRIGGER closing_is_kept BEFORE DELETE ON closing BEGIN
    SELECT RAISE(ABORT, 'felt: what is closed stays closed');
END
--;
CREATE TRIGGER house_is_kept BEFORE DELETE ON house BEGIN
    SELECT RAISE(ABORT, 'felt: the books keep their name');
END
--;
CREATE TRIGGER house_stays BEFORE UPDATE ON house
WHEN OLD.public_key IS NOT NULL OR (NEW.books <> OLD.books AND EXISTS (SELECT 1 FROM posting)) BEGIN
    SELECT RAISE(ABORT, 'felt: the books keep their name and their key');
END
--;
CREATE TRIGGER progressive_terms_stay BEFORE UPDATE OF book, terms ON progressive
WHEN NEW.book <> OLD.book OR NEW.terms <> OLD.terms BEGIN
    SELECT RAISE(ABORT, 'felt: the terms of a progressive stay as it was opened');
END
--;
