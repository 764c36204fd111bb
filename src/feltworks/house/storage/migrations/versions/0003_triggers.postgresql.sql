ALTER TABLE posting ADD COLUMN mark BYTEA
--;
ALTER TABLE book ADD COLUMN mark BYTEA
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
